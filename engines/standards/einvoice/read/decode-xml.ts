import { decodeText, detectUnicode, readDeclaredEncoding } from '../../../decode-text'
import { EngineError } from '../../../errors'

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

/** Decodes an XML file by its byte order mark, its first bytes, or its declaration. Throws EngineError `damaged`. */
export function decodeXml(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes)
  if (!ENCODINGS.has(encoding))
    throw new EngineError('damaged', `The XML has the encoding ${encoding.slice(0, 40)}. Send it as UTF-8.`)
  try {
    return decodeText(bytes, encoding, { isFatal: encoding.startsWith('utf') })
  } catch {
    const name = encoding.slice(0, 'utf-16'.length).toUpperCase()
    throw new EngineError('damaged', `The XML is not valid ${name}. Declare its encoding, or send it as UTF-8.`)
  }
}

/**
 * The encoding in lowercase. Programs that declare UTF-16 in single bytes mean UTF-8. Nobody could read the declaration
 * otherwise.
 */
function encodingOf(bytes: Uint8Array): string {
  const shown = detectUnicode(bytes)
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const declared = hasMark ? undefined : readDeclaredEncoding(bytes)?.toLowerCase()
  return shown === 'utf-8' && declared !== undefined && !declared.startsWith('utf-16') ? declared : shown
}
