/**
 * The steps, with the link to their first playground, which has room for more keys, and whether it
 * offers to clear bits.
 * @type {{name: string, play: string, experimental?: boolean,
 *   choices?: Record<string, (string | number)[]>}[]}
 */
export const STEPS = [
  { name: 'what', play: 'type=classic&m=64&k=3&o=%2Bapple&o=%2Bpear&q=apple' },
  { name: 'errs', play: 'type=classic&m=128&k=3&o=*8' },
  { name: 'hashes', play: 'type=classic&m=256&k=4&o=*30', choices: { k: [1, 2, 4, 8, 16] } },
  {
    name: 'clearing',
    play: 'type=classic&m=64&k=4&o=%2Bapple&o=%2Bpear&o=*6',
    experimental: true,
  },
  { name: 'counting', play: 'type=counting&m=128&k=3&o=%2Bapple&o=%2Bpear&o=*12' },
  {
    name: 'blocks',
    play: 'type=split&m=2048&k=8&o=*24&q=key-1',
    choices: { type: ['classic', 'line', 'split', 'split-pair'] },
  },
  { name: 'window', play: 'type=windowed&m=1024&k=3&o=%2Bapple&o=*20&q=apple' },
];
