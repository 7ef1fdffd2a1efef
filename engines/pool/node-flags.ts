/**
 * Returns the command-line flags of an engine process. The heap is as large as the whole limit, so that the measured
 * limit applies before V8 aborts. The young generation is large, so that the objects of a document are collected there
 * instead of being moved.
 */
export function listNodeFlags(maxRssBytes: number): string[] {
  return [
    `--max-old-space-size=${Math.ceil(maxRssBytes / 2 ** 20)}`,
    '--max-semi-space-size=32',
    '--expose-gc',
    '--no-warnings',
  ]
}
