/** A document type after more blanks and comments isn't found. Without this limit, a page could occupy the process. */
const LOOKED_AT_BYTES = 2 ** 20
const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf'
const DOCTYPE = '<!doctype'

/**
 * Adds a base URL to a page. The element is inserted directly after the document type, where it becomes part of the
 * existing or implied head. The bytes stay unchanged in any encoding that contains ASCII, because the element is ASCII.
 */
export function addBase(bytes: Uint8Array, baseUrl: string): Uint8Array {
  const href = new URL(baseUrl).href.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, LOOKED_AT_BYTES)).toString('latin1')
  const at = findHeadStart(head)
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(`<base href="${href}">`, 'latin1'), bytes.subarray(at)])
}

/** Returns the position after the document type, or after the blanks and comments at the start if there is none. */
function findHeadStart(head: string): number {
  const start = skipComments(head)
  if (head.slice(start, start + DOCTYPE.length).toLowerCase() !== DOCTYPE) return start
  const end = head.indexOf('>', start)
  return end < 0 ? start : end + 1
}

function skipComments(head: string): number {
  let at = skipBlanks(head, head.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0)
  while (head.startsWith('<!--', at)) {
    const end = head.indexOf('-->', at + 2) // `<!-->` is a whole comment (HTML, 13.2.5.43).
    if (end < 0) break
    at = skipBlanks(head, end + 3)
  }
  return at
}

function skipBlanks(head: string, start: number): number {
  const mark = /[^\t\n\f\r ]/g
  mark.lastIndex = start
  return mark.exec(head)?.index ?? head.length
}
