/** The text of a metadata stream, and the name of its encoding. */
export interface XmpText {
  text: string
  encoding: string
}

/**
 * Decodes a metadata stream, as far as XML allows it: by its first bytes, or by its XML declaration. Bytes that aren't
 * UTF-8 count as Latin-1, as in XMP toolkits, because old software wrote such packets.
 */
export function decodeXmp(bytes: Uint8Array): XmpText {
  const encoding = detectEncoding(bytes)
  const text = decode(bytes, encoding).replace(/^\ufeff/, '')
  const declared =
    encoding === 'UTF-8' ? /^<\?xml\s[^>]*?encoding\s*=\s*["']([\w.-]+)["']/.exec(text.slice(0, 1000))?.[1] : undefined
  if (declared === undefined || declared.toUpperCase() === 'UTF-8') return { text: withLineFeeds(text), encoding }
  return { text: withLineFeeds(decodeDeclared(bytes, declared) ?? text), encoding: declared }
}

function detectEncoding([first, second, third, fourth]: Uint8Array): string {
  if (first === 0 && second === 0) return 'UTF-32BE'
  if (third === 0 && fourth === 0 && (second === 0 || (first === 0xff && second === 0xfe))) return 'UTF-32LE'
  if ((first === 0xfe && second === 0xff) || first === 0) return 'UTF-16BE'
  if ((first === 0xff && second === 0xfe) || second === 0) return 'UTF-16LE'
  return 'UTF-8'
}

function decode(bytes: Uint8Array, encoding: string): string {
  if (encoding.startsWith('UTF-32')) return decodeUtf32(bytes, encoding === 'UTF-32LE')
  if (encoding.startsWith('UTF-16')) return new TextDecoder(encoding).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return decodeMixed(bytes)
  }
}

function decodeDeclared(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    return undefined
  }
}

/** The text without its comments, which must all be closed. */
export function withoutComments(text: string): string {
  const parts: string[] = []
  let at = 0
  for (let start = text.indexOf('<!--'); start >= 0; start = text.indexOf('<!--', at)) {
    parts.push(text.slice(at, start))
    const end = text.indexOf('-->', start + 4)
    if (end < 0) return parts.join('')
    at = end + 3
  }
  return parts.join('') + text.slice(at)
}

/** Decodes UTF-8 in which some bytes are Latin-1. */
function decodeMixed(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g, sequence =>
      Buffer.from(sequence, 'latin1').toString('utf8'),
    )
}

function decodeUtf32(bytes: Uint8Array, isLittleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const parts: string[] = []
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const code = view.getUint32(at, isLittleEndian)
    parts.push(code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd')
  }
  return parts.join('')
}

/** Ends lines as XML parsers do (XML 1.0, 2.11). */
function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}
