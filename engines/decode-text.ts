/** The bytes 80 to 9F of Windows-1252. Five of them have no character. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** The Unicode encoding that the first bytes of an XML document show (XML 1.0, appendix F). UTF-8 needs no mark. */
export function detectUnicode([first, second, third, fourth]: Uint8Array): string {
  if (first === 0 && second === 0) return 'utf-32be'
  if (third === 0 && fourth === 0 && (second === 0 || (first === 0xff && second === 0xfe))) return 'utf-32le'
  if ((first === 0xfe && second === 0xff) || first === 0) return 'utf-16be'
  if ((first === 0xff && second === 0xfe) || second === 0) return 'utf-16le'
  return 'utf-8'
}

/** The encoding in the XML declaration of bytes that begin like ASCII, as written. Undefined if none is declared. */
export function readDeclaredEncoding(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 1000)).toString('latin1')
  return /^[\s\xef\xbb\xbf]*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1]
}

/**
 * Decodes bytes by the name of their encoding, without a byte order mark. Throws RangeError for an unknown encoding, and
 * TypeError for invalid bytes if `isFatal`.
 */
export function decodeText(bytes: Uint8Array, encoding: string, { isFatal = false } = {}): string {
  if (encoding.startsWith('utf-32')) return decodeUtf32(bytes, { isLittle: encoding === 'utf-32le', isFatal })
  const decoder = new TextDecoder(encoding, { fatal: isFatal })
  return decoder.encoding === 'windows-1252' ? decodeWindows1252(bytes) : decoder.decode(bytes)
}

/**
 * Decodes Windows-1252, which contains ASCII and the printable characters of ISO 8859-1. `TextDecoder` of Node.js 20
 * returns control characters for the bytes 80 to 9F: https://github.com/nodejs/node/issues/56542
 */
export function decodeWindows1252(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, character => WINDOWS_1252.charAt(character.charCodeAt(0) - 0x80))
}

function decodeUtf32(bytes: Uint8Array, { isLittle, isFatal }: { isLittle: boolean; isFatal: boolean }): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: string[] = []
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const code = view.getUint32(at, isLittle)
    if (code > 0x10ffff && isFatal) throw new TypeError(`The bytes at ${at} aren't UTF-32`)
    if (at > 0 || code !== 0xfeff) parts.push(code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd')
  }
  return parts.join('')
}
