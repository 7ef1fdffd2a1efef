/** The encodings of XML documents by their first bytes (XML 1.0, appendix F). */
const BEGINNINGS: readonly { bytes: readonly number[]; encoding: string }[] = [
  { bytes: [0, 0, 0xfe, 0xff], encoding: 'utf-32be' },
  { bytes: [0xff, 0xfe, 0, 0], encoding: 'utf-32le' },
  { bytes: [0, 0, 0, 0x3c], encoding: 'utf-32be' },
  { bytes: [0x3c, 0, 0, 0], encoding: 'utf-32le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0, 0x3c], encoding: 'utf-16be' },
  { bytes: [0x3c, 0], encoding: 'utf-16le' },
]

/**
 * Decodes an XML document. The first bytes decide the encoding, then the declared encoding, then UTF-8. If none of them
 * fits, Windows-1252 is used.
 */
export function decodeXmlBytes(bytes: Uint8Array): string {
  const encoding = BEGINNINGS.find(beginning => beginning.bytes.every((byte, index) => bytes[index] === byte))?.encoding
  if (encoding?.startsWith('utf-32')) return decodeUtf32(bytes, encoding === 'utf-32le')
  const declared = /^[\s\xef\xbb\xbf]*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(
    Buffer.from(bytes.subarray(0, 256)).toString('latin1'),
  )?.[1]
  for (const label of [encoding, declared?.toLowerCase().startsWith('utf-16') ? undefined : declared, 'utf-8']) {
    if (label === undefined) continue
    try {
      return new TextDecoder(label, { fatal: label !== encoding }).decode(bytes)
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof TypeError)) throw error // unknown or invalid encoding
    }
  }
  return new TextDecoder('windows-1252').decode(bytes)
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

function decodeUtf32(bytes: Uint8Array, isLittle: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: string[] = []
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const code = view.getUint32(at, isLittle)
    if (code !== 0xfeff) parts.push(code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd')
  }
  return parts.join('')
}
