import { PDFHexString, PDFString, pdfDocEncodingDecode } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'

/**
 * The text of a PDF text string (ISO 32000-2, 7.9.2.2): UTF-16, UTF-8 or PDFDocEncoding; undefined for anything else.
 */
export function readText(value: PDFObject | undefined): string | undefined {
  return value instanceof PDFString || value instanceof PDFHexString ? readTextBytes(value.asBytes()) : undefined
}

/** The text of the bytes of a text string or of a text stream (ISO 32000-2, 7.9.3), without a byte order mark. */
export function readTextBytes(bytes: Uint8Array): string {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return new TextDecoder('utf-8').decode(bytes)
  // An odd byte at the end is no character; pdf-lib would read beyond it.
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return new TextDecoder('utf-16be').decode(bytes.subarray(0, bytes.length & ~1))
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return new TextDecoder('utf-16le').decode(bytes.subarray(0, bytes.length & ~1))
  // pdf-lib puts all characters on the stack at once.
  const parts = Array.from({ length: Math.ceil(bytes.length / PART) }, (_, index) =>
    pdfDocEncodingDecode(bytes.subarray(index * PART, (index + 1) * PART)),
  )
  return parts.join('')
}

/** Bytes of a text that are decoded at once. */
const PART = 16_384

/** Characters that a title may have before it is cut. */
const MAX_LINE = 1000

/** The same as one line of at most 1,000 characters; undefined where there is none. */
export function readTextLine(value: PDFObject | undefined): string | undefined {
  const text = readText(value)
    ?.replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return text ? text.slice(0, MAX_LINE).toWellFormed() : undefined
}

/** A text string that says `text`: PDFDocEncoding where its characters are those of Latin-1, UTF-16BE otherwise. */
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

/** A byte string (ISO 32000-2, 7.9.2.4): in parentheses if it is plain ASCII, in hexadecimal digits otherwise. */
export function writeBytes(bytes: Uint8Array): PDFString | PDFHexString {
  const text = Buffer.from(bytes).toString('latin1')
  if (/^[\t\n\r\x20-\x7e]*$/.test(text)) return writeText(text)
  return PDFHexString.of(Buffer.from(bytes).toString('hex').toUpperCase())
}
