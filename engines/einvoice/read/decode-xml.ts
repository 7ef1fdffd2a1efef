import { EngineError } from '../../errors'

/** Encodings that XML invoices may declare besides UTF-8 and UTF-16. */
const ENCODINGS: ReadonlySet<string> = new Set([
  'utf-8',
  'utf8',
  'utf-16le',
  'utf-16be',
  'us-ascii',
  'iso-8859-1',
  'latin1',
  'iso-8859-15',
  'windows-1252',
  'cp1252',
])

/** The bytes 80 to 9F of Windows-1252. Five of them have no character. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Decodes an XML file by its byte order mark, its first bytes, or its declaration. Throws EngineError `unreadable`. */
export function decodeXml(bytes: Uint8Array): string {
  const encoding = unicodeOf(bytes) ?? encodingOf(bytes)
  if (!ENCODINGS.has(encoding))
    throw new EngineError('unreadable', `The XML has the encoding ${encoding.slice(0, 40)}. Send it as UTF-8.`)
  if (encoding === 'iso-8859-15') return new TextDecoder(encoding).decode(bytes)
  if (!encoding.startsWith('utf')) return decodeWindows1252(bytes)
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    const name = encoding.slice(0, 'utf-16'.length).toUpperCase()
    throw new EngineError('unreadable', `The XML is not valid ${name}. Declare its encoding, or send it as UTF-8.`)
  }
}

/** The Unicode encoding that the first four bytes show, with or without a byte order mark (XML 1.0, appendix F). */
function unicodeOf(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 4)).toString('hex')
  if (/^(?:fffe0000|0000feff|3c000000|0000003c)/.test(start)) return 'utf-32'
  if (/^(?:fffe|3c00)/.test(start)) return 'utf-16le'
  if (/^(?:feff|003c)/.test(start)) return 'utf-16be'
  return start.startsWith('efbbbf') ? 'utf-8' : undefined
}

/**
 * The declared encoding in lowercase. Programs that declare UTF-16 in single bytes mean UTF-8. Nobody could read the
 * declaration otherwise.
 */
function encodingOf(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1')
  const declared = /^<\?xml[^>]*?encoding\s*=\s*["']([\w.-]+)["']/.exec(start)?.[1]?.toLowerCase() ?? 'utf-8'
  return declared.startsWith('utf-16') ? 'utf-8' : declared
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
