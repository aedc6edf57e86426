# Prints 230,000 records of JSON, 1.1 KB each, whose URLs repeat: awk -f bench/json-lines.awk > pages.jsonl
BEGIN {
  srand(33)
  for (w = 0; w < 5000; w++) { n = 2 + int(rand() * 9); for (i = 0; i < n; i++) word[w] = word[w] sprintf("%c", 97 + int(rand() * 26)) }
  for (r = 1; r <= 230000; r++) {
    t = ""; n = 60 + int(rand() * 180); for (i = 0; i < n; i++) t = t word[int(rand() * 5000)] " "
    printf "{\"id\":%d,\"url\":\"http://example.com/%d\",\"text\":\"%s\",\"meta\":{\"lang\":\"en\"}}\n", r, int(rand() * 250000), t
  }
}
