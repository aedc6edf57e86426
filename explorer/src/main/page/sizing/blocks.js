/** How full the blocks of a filter get: docs/math.md, "Blocked". */

/** From here on a block counts as full. */
const FULL = 1 - 1e-15;

/** Weights below this share of the largest are left out. */
const NEGLIGIBLE = 1e-19;

/** Beyond this load every block of 512 bits is full in any case. */
const OVERFULL = 1e6;

/** @type {Map<string, (keys: number) => number>} */
const TABLES = new Map();

/**
 * Returns the function from the keys in a block to the probability that all throws of one more key
 * hit: exact, by the distribution of occupied cells after each throw.
 * @param {number} cells of a block
 * @param {number} throwsPerKey
 */
export function occupancy(cells, throwsPerKey) {
  const name = `${cells}/${throwsPerKey}`;
  let table = TABLES.get(name);
  if (!table) {
    table = newOccupancy(cells, throwsPerKey);
    TABLES.set(name, table);
  }
  return table;
}

/**
 * @param {number} cells
 * @param {number} throwsPerKey
 * @returns {(keys: number) => number}
 */
function newOccupancy(cells, throwsPerKey) {
  const distribution = new Float64Array(cells + 1);
  distribution[0] = 1;
  const hitIfOccupied = Float64Array.from(distribution, (_, x) => (x / cells) ** throwsPerKey);
  const hits = [0]; // an empty block matches nothing

  function addKey() {
    const most = Math.min(cells, hits.length * throwsPerKey);
    for (let i = 0; i < throwsPerKey; i++) {
      for (let x = most; x > 0; x--) {
        const stays = (distribution[x] * x) / cells;
        const rises = (distribution[x - 1] * (cells - (x - 1))) / cells;
        distribution[x] = stays + rises;
      }
      distribution[0] = 0;
    }
    let hit = 0;
    for (let x = 0; x <= most; x++) {
      hit += distribution[x] * hitIfOccupied[x];
    }
    hits.push(Math.min(1, hit));
  }

  return (keys) => {
    while (hits.length <= keys && hits[hits.length - 1] < FULL) {
      addKey();
    }
    return hits[Math.min(keys, hits.length - 1)];
  };
}

/**
 * Returns the mean of a rising function from 0 to 1 over the load of a block, which is binomial.
 * @param {number} keys in the filter
 * @param {number} chance that a key is in the block
 * @param {(load: number) => number} value
 */
export function meanOverLoad(keys, chance, value) {
  if (chance >= 1 || keys === 0) {
    return value(keys);
  }
  if (keys * chance > OVERFULL) {
    return 1;
  }
  // outwards from the likeliest load, by the ratio of neighbours; normalised at the end
  const mode = Math.floor((keys + 1) * chance);
  const odds = chance / (1 - chance);
  let total = 1;
  let sum = value(mode);
  let weight = 1;
  for (let i = mode; i < keys && weight > NEGLIGIBLE; i++) {
    weight *= ((keys - i) / (i + 1)) * odds;
    total += weight;
    sum += weight * value(i + 1);
  }
  weight = 1;
  for (let i = mode; i > 0 && weight > NEGLIGIBLE; i--) {
    weight *= i / ((keys - i + 1) * odds);
    total += weight;
    sum += weight * value(i - 1);
  }
  return sum / total;
}
