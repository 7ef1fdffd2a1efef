/**
 * Returns the command-line flags of an engine process. The heap is as large as the whole limit, so that the measured
 * limit applies before V8 aborts. The young generation is large, so that the objects of a document are collected there
 * instead of being moved. V8 optimizes WebAssembly functions later than it would: optimizing those that set one line of
 * text takes 25 MB and 200 ms, and loops of text recognition and rendering pass the limit within milliseconds.
 */
export function listNodeFlags(maxRssBytes: number): string[] {
  return [
    `--max-old-space-size=${Math.ceil(maxRssBytes / 2 ** 20)}`,
    '--max-semi-space-size=32',
    '--wasm-tiering-budget=30000000',
    '--expose-gc',
    '--no-warnings',
  ]
}
