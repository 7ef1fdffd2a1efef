import { PDFHexString, PDFString, pdfDocEncodingDecode } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'

/**
 * The text of a PDF text string (ISO 32000-2, 7.9.2.2): UTF-16, UTF-8 or PDFDocEncoding. Undefined for other values.
 */
export function readText(value: PDFObject | undefined): string | undefined {
  return value instanceof PDFString || value instanceof PDFHexString ? readTextBytes(value.asBytes()) : undefined
}

/** Decodes the bytes of a text string or a text stream (ISO 32000-2, 7.9.3), without a byte order mark. */
export function readTextBytes(bytes: Uint8Array): string {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return new TextDecoder('utf-8').decode(bytes)
  // Drop an odd byte at the end. It isn't a character, and pdf-lib would read beyond it.
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return new TextDecoder('utf-16be').decode(bytes.subarray(0, bytes.length & ~1))
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return new TextDecoder('utf-16le').decode(bytes.subarray(0, bytes.length & ~1))
  // Decode in chunks, because pdf-lib passes all characters as arguments of one call.
  const parts = Array.from({ length: Math.ceil(bytes.length / PART) }, (_, index) =>
    pdfDocEncodingDecode(bytes.subarray(index * PART, (index + 1) * PART)),
  )
  return parts.join('')
}

/** Number of bytes to decode at once. */
const PART = 16_384

/** Maximum length of a line of text, such as a title. */
const MAX_LINE = 1000

/** Reads a text string as one line of at most 1,000 characters. Undefined if it is empty or isn't a text string. */
export function readTextLine(value: PDFObject | undefined): string | undefined {
  const text = readText(value)
    ?.replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return text ? text.slice(0, MAX_LINE).toWellFormed() : undefined
}

/** Writes a text string: in PDFDocEncoding if all characters are in Latin-1, otherwise in UTF-16BE. */
export function writeText(text: string): PDFString | PDFHexString {
  if (!/^[\t\n\r\x20-\x7e\xa1-\xac\xae-\xff]*$/.test(text) || /^(?:þÿ|ÿþ|ï»¿)/.test(text))
    return PDFHexString.fromText(text)
  return PDFString.of(
    text
      .replace(/[\\()]/g, '\\$&')
      .replace(/\n/g, '\\n')
      .replace(/\r/g, '\\r'),
  )
}

/** Writes a byte string (ISO 32000-2, 7.9.2.4): as a literal string if it is plain ASCII, otherwise in hexadecimal. */
export function writeBytes(bytes: Uint8Array): PDFString | PDFHexString {
  const text = Buffer.from(bytes).toString('latin1')
  if (/^[\t\n\r\x20-\x7e]*$/.test(text)) return writeText(text)
  return PDFHexString.of(Buffer.from(bytes).toString('hex').toUpperCase())
}
