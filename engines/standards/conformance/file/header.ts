import { asBuffer } from '../../../pdf/syntax'
import type { Rule } from '../examination/rules'

/** The start of a file. */
export interface FileHeader {
  /** The line that contains `%PDF-`, without its line end. Undefined if there is none. */
  line: string | undefined
  /** Offset of `%PDF-` in the file. */
  offset: number
  /** The line after it, as Latin-1 text. */
  comment: string
}

/** Readers look for the header in this many bytes. */
const SEARCHED = 200_000
/** Bytes of a line that are worth a look. */
const LINE_BYTES = 200

/** Reads the first two lines of a file (ISO 32000-1, 7.5.2). */
export function readHeader(bytes: Uint8Array): FileHeader {
  const start = asBuffer(bytes.subarray(0, SEARCHED)).toString('latin1')
  const offset = start.indexOf('%PDF-')
  if (offset < 0) return { line: undefined, offset: -1, comment: '' }
  const lineStart = Math.max(start.lastIndexOf('\n', offset), start.lastIndexOf('\r', offset)) + 1
  const line = lineAt(start, lineStart)
  const end = lineStart + line.length
  const next = start[end] === '\r' && start[end + 1] === '\n' ? end + 2 : end + 1
  return { line, offset, comment: lineAt(start, next).slice(0, LINE_BYTES) }
}

function lineAt(text: string, start: number): string {
  let end = start
  while (end < text.length && text[end] !== '\r' && text[end] !== '\n') end++
  return text.slice(start, end)
}

/** Rules for the header and the comment after it. */
export const HEADER_RULES: readonly Rule<FileHeader>[] = [
  {
    in: { 'pdfa-1': '6.1.2-1' },
    message: 'The file must start with a header such as %PDF-1.4, at the first byte.',
    check: ({ line, offset }) => {
      if (line === undefined) return 'no header'
      if (offset !== 0) return `${offset} bytes before the header`
      return /%PDF-\d\.\d/.test(line) ? undefined : quote(line)
    },
  },
  {
    in: { 'pdfa-2': '6.1.2-1', 'pdfa-3': '6.1.2-1' },
    message: 'The first line of the file must be %PDF-1.n and nothing else, with n from 0 to 7.',
    check: ({ line, offset }) => {
      if (line === undefined) return 'no header'
      if (offset !== 0) return `${offset} bytes before the header`
      return checkLine(line)
    },
  },
  {
    in: { 'pdfua-1': '6.1-1' },
    message: 'The header line must be %PDF-1.n and nothing else, with n from 0 to 7.',
    check: ({ line }) => (line === undefined ? 'no header' : checkLine(line)),
  },
  {
    in: { 'pdfa-1': '6.1.2-2', 'pdfa-2': '6.1.2-2', 'pdfa-3': '6.1.2-2' },
    message: 'A comment with at least four bytes above 127 must follow the header line.',
    check: ({ comment }) => (/^%[\x80-\xff]{4}/.test(comment) ? undefined : `second line ${quote(comment)}`),
  },
]

function checkLine(line: string): string | undefined {
  return /^%PDF-1\.[0-7]$/.test(line) ? undefined : quote(line)
}

function quote(line: string): string {
  return JSON.stringify(line.slice(0, 40))
}
