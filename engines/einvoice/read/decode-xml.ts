import { EngineError } from '../../errors'

/** Encodings that XML invoices may declare besides UTF-8 and UTF-16. */
const ENCODINGS: ReadonlySet<string> = new Set(['utf-8', 'us-ascii', 'iso-8859-1', 'iso-8859-15', 'windows-1252'])

/** Decodes an XML file by its byte order mark, or by its declaration. Throws EngineError `unreadable`. */
export function decodeXml(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1')
  const declared = /^(?:\u00ef\u00bb\u00bf)?<\?xml[^>]*?encoding\s*=\s*["']([\w.-]+)["']/
    .exec(start)?.[1]
    ?.toLowerCase()
  const encoding = declared ?? 'utf-8'
  if (!ENCODINGS.has(encoding))
    throw new EngineError('unreadable', `The XML has the encoding ${encoding.slice(0, 40)}. Send it as UTF-8.`)
  try {
    return new TextDecoder(encoding, { fatal: encoding === 'utf-8' }).decode(bytes)
  } catch {
    throw new EngineError('unreadable', 'The XML is not valid UTF-8. Declare its encoding, or send it as UTF-8.')
  }
}
