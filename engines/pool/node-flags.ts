/**
 * Command line flags of an engine process: a heap as large as the whole limit, so that a runaway script meets the
 * measured limit before V8's own abort, and a young generation large enough that a document's objects die there instead
 * of being moved.
 */
export function listNodeFlags(maxRssBytes: number): string[] {
  return [
    `--max-old-space-size=${Math.ceil(maxRssBytes / 2 ** 20)}`,
    '--max-semi-space-size=32',
    '--expose-gc',
    '--no-warnings',
  ]
}
