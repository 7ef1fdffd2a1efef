import { dateFormatProblem, formatDate } from '../options/date-format'
import type { DateSetting } from '../options/date-format'
import type { PdfDocument } from '../pdf-core/document/document'
import { readMetadata } from '../pdf-core/metadata/metadata'
import { NUMERAL_STYLES, writeNumeral } from '../options/numerals'
import type { KnownPlaceholders, Placeholder } from '../text/template'
import { numeralProblem } from './number-format'

/** Characters of a title or another text of the document that are used. */
const MOST_OF_DOCUMENT = 200

const FROM_METADATA = ['title', 'author', 'subject'] as const

/** What headers and footers may hold. */
export const PLACEHOLDERS: KnownPlaceholders = {
  page: numeralProblem,
  total: numeralProblem,
  date: dateFormatProblem,
  time: dateFormatProblem,
  title: null,
  author: null,
  subject: null,
  filename: null,
}

interface Source extends DateSetting {
  document: PdfDocument
  fileName: string
  now: Date
  dateFormat: string
  startNumber: number
}

/** The values of placeholders; what is the same on all pages is found out once. */
export class PlaceholderValues {
  private readonly known = new Map<string, string>()
  private metadata: ReturnType<typeof readMetadata> | undefined

  constructor(private readonly source: Source) {}

  /** The value on a page. */
  valueOf({ name, detail }: Placeholder, pageIndex: number): string {
    const { document, startNumber } = this.source
    if (name === 'page' || name === 'total') {
      const index = name === 'page' ? pageIndex : document.pageCount - 1
      return writeNumeral(startNumber + index, NUMERAL_STYLES.find(style => style === detail) ?? 'decimal')
    }
    const key = `${name}:${detail ?? ''}`
    const value = this.known.get(key) ?? this.findOut(name, detail)
    this.known.set(key, value)
    return value
  }

  private findOut(name: string, detail: string | undefined): string {
    const { document, fileName, now, dateFormat, timezone, locale } = this.source
    if (name === 'date') return formatDate(now, detail ?? dateFormat, { kind: 'date', timezone, locale })
    if (name === 'time') return formatDate(now, detail ?? 'HH:mm', { kind: 'time', timezone, locale })
    if (name === 'filename') return fileName
    const field = FROM_METADATA.find(one => one === name)
    this.metadata ??= readMetadata(document)
    return clip((field && this.metadata.get(field)) ?? '')
  }
}

/** One line of text that can be drawn. */
function clip(text: string): string {
  const characters = Array.from(
    text
      .toWellFormed()
      .replace(/[\p{Cc}\s\u2028\u2029]+/gu, ' ')
      .trim(),
  )
  return characters.length > MOST_OF_DOCUMENT
    ? `${characters.slice(0, MOST_OF_DOCUMENT - 1).join('')}…`
    : characters.join('')
}
