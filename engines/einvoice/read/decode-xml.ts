import { EngineError } from '../../errors'

/** Encodings that XML invoices may declare besides UTF-8 and UTF-16. */
const ENCODINGS: ReadonlySet<string> = new Set([
  'utf-8',
  'utf8',
  'us-ascii',
  'iso-8859-1',
  'latin1',
  'iso-8859-15',
  'windows-1252',
  'cp1252',
])

/** The bytes 80 to 9F of Windows-1252. Five of them have no character. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Decodes an XML file by its byte order mark, or by its declaration. Throws EngineError `unreadable`. */
export function decodeXml(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const encoding = encodingOf(bytes)
  if (!ENCODINGS.has(encoding))
    throw new EngineError('unreadable', `The XML has the encoding ${encoding.slice(0, 40)}. Send it as UTF-8.`)
  if (encoding === 'iso-8859-15') return new TextDecoder(encoding).decode(bytes)
  if (!encoding.startsWith('utf')) return decodeWindows1252(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new EngineError('unreadable', 'The XML is not valid UTF-8. Declare its encoding, or send it as UTF-8.')
  }
}

/** The encoding in lowercase. A byte order mark counts more than the declaration, as in browsers. */
function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1')
  return /^<\?xml[^>]*?encoding\s*=\s*["']([\w.-]+)["']/.exec(start)?.[1]?.toLowerCase() ?? 'utf-8'
}

/**
 * Decodes Windows-1252, which contains ASCII and the printable characters of ISO 8859-1. `TextDecoder` of Node.js 20
 * returns control characters for the bytes 80 to 9F: https://github.com/nodejs/node/issues/56542
 */
function decodeWindows1252(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, character => WINDOWS_1252[character.charCodeAt(0) - 0x80] ?? character)
}
