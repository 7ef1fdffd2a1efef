import { decodeText, decodeWindows1252, detectUnicode, readDeclaredEncoding } from '../../../decode-text'

/**
 * Decodes an XML document. The first bytes decide the encoding, then the declared encoding, then UTF-8. If none of them
 * fits, Windows-1252 is used.
 */
export function decodeXmlBytes(bytes: Uint8Array): string {
  const shown = detectUnicode(bytes)
  if (shown !== 'utf-8') return decodeText(bytes, shown)
  const declared = readDeclaredEncoding(bytes)
  for (const encoding of [declared?.toLowerCase().startsWith('utf-16') ? undefined : declared, shown]) {
    if (encoding === undefined) continue
    try {
      return decodeText(bytes, encoding, { isFatal: true })
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof TypeError)) throw error // unknown or invalid encoding
    }
  }
  return decodeWindows1252(bytes)
}

/** Returns whether bytes begin like XML in any of these encodings. */
export function looksLikeXml(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 64))
    .toString('latin1')
    .replace(/[\0\xef\xbb\xbf\xfe\xff\s]/g, '')
  return /^<[?!A-Za-z_]/.test(start)
}

/** Number of characters within which the XML declaration is expected. */
const MOST_DECLARED = 256

/** Removes the encoding from the XML declaration, because the text is written in UTF-8. */
export function withoutEncoding(text: string): string {
  const head = text.slice(0, MOST_DECLARED)
  return (
    head.replace(/^(\ufeff?\s*<\?xml[^>]*?)\s+encoding\s*=\s*(?:"[^"]*"|'[^']*')/, '$1') + text.slice(MOST_DECLARED)
  )
}
