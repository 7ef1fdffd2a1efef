const [TAB, LINE_FEED, RETURN, SPACE, QUOTE, COMMA, COLON, BACKSLASH] = [
  0x09, 0x0a, 0x0d, 0x20, 0x22, 0x2c, 0x3a, 0x5c,
] as const
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d] as const

/** What may come next in JSON text. */
type Expected =
  | 'a value'
  | 'a value or "]"'
  | 'a name in quotes'
  | 'a name in quotes or "}"'
  | '":"'
  | '"," or "}"'
  | '"," or "]"'
  | 'the end'

/** The first byte that isn't valid JSON, or the end of text that ends too early. */
export interface JsonError {
  /** Offset in bytes. */
  at: number
  /** What would be right there, such as `"," or "}"`. */
  expected: string
}

/**
 * Finds the first error of JSON text (RFC 8259). Undefined if the text is valid. `JSON.parse` gives no position for
 * many errors, and its messages differ between versions of Node.js.
 */
export function findJsonError(bytes: Uint8Array): JsonError | undefined {
  const containers: number[] = []
  let expected: Expected = 'a value'
  let at = 0
  for (;;) {
    while (isSpace(bytes[at])) at++
    const byte = bytes[at]
    if (byte === undefined) return expected === 'the end' ? undefined : { at, expected }
    const next = step(bytes, at, { expected, containers })
    if (next === undefined) return { at, expected }
    if (next.error !== undefined) return { at: next.at, expected: next.error }
    at = next.at
    expected = next.expected
  }
}

type Step = { at: number; expected: Expected; error?: undefined } | { at: number; error: string }

/** Reads one token. Undefined if another one is expected. */
function step(
  bytes: Uint8Array,
  at: number,
  { expected, containers }: { expected: Expected; containers: number[] },
): Step | undefined {
  const byte = bytes[at] as number // The caller has checked that the text goes on.
  const isName = expected.startsWith('a name')
  if (byte === QUOTE && (isName || expected.startsWith('a value'))) {
    const end = findStringEnd(bytes, at)
    if (end.error !== undefined) return end
    return { at: end.at, expected: isName ? '":"' : afterValue(containers) }
  }
  if (byte === COLON && expected === '":"') return { at: at + 1, expected: 'a value' }
  if (byte === COMMA && expected.startsWith('","'))
    return { at: at + 1, expected: containers.at(-1) === OPEN_OBJECT ? 'a name in quotes' : 'a value' }
  if ((byte === CLOSE_OBJECT && expected.endsWith('"}"')) || (byte === CLOSE_ARRAY && expected.endsWith('"]"'))) {
    containers.pop()
    return { at: at + 1, expected: afterValue(containers) }
  }
  if (!expected.startsWith('a value')) return undefined
  if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
    containers.push(byte)
    return { at: at + 1, expected: byte === OPEN_OBJECT ? 'a name in quotes or "}"' : 'a value or "]"' }
  }
  const end = findLiteralEnd(bytes, at)
  return end === undefined ? undefined : { at: end, expected: afterValue(containers) }
}

function afterValue(containers: number[]): Expected {
  const container = containers.at(-1)
  if (container === undefined) return 'the end'
  return container === OPEN_OBJECT ? '"," or "}"' : '"," or "]"'
}

function findStringEnd(
  bytes: Uint8Array,
  start: number,
): { at: number; error?: undefined } | { at: number; error: string } {
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at] as number // at < length
    if (byte === QUOTE) return { at: at + 1 }
    if (byte < SPACE) return { at, error: 'an escape, such as \\n, for the control character' }
    if (byte !== BACKSLASH) continue
    const escape = Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(6, bytes.length - at)).toString('latin1')
    if (!/^\\(["\\/bfnrt]|u[0-9a-f]{4})/i.test(escape)) return { at, error: 'a valid escape, such as \\\\ or \\n' }
    at++
  }
  return { at: bytes.length, error: 'a quote that ends the string' }
}

/** Returns the end of a number, true, false or null. */
function findLiteralEnd(bytes: Uint8Array, start: number): number | undefined {
  let end = start
  while (
    end < bytes.length &&
    !isSpace(bytes[end]) &&
    ![COMMA, CLOSE_ARRAY, CLOSE_OBJECT].some(one => one === bytes[end])
  )
    end++
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1')
  return /^(true|false|null|-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?)$/.test(text.replace('E', 'e')) ? end : undefined
}

function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB
}
