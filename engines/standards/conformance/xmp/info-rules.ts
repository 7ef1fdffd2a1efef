import { PDFNull } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import { readText } from '../../../pdf/syntax'
import { entryOf } from '../examination/model'
import type { Finding, Rule, RuleId } from '../examination/rules'
import { NAMESPACES } from './namespaces'
import { propertyOf, textOf } from './xmp-package'
import type { XmpPackage } from './xmp-package'

/** The information dictionary, and the document's metadata. */
export interface Information {
  document: PdfDocument
  dict: PDFDict
  main: XmpPackage
}

const { dc, pdf, xmp } = NAMESPACES

/** Rules for entries that the document's metadata must repeat (ISO 19005-1, 6.7.3). */
export const INFO_RULES: Rule<Information>[] = [
  dateRule('6.7.3-1', 'CreationDate', 'CreateDate'),
  textRule('6.7.3-2', 'Title', 'dc:title', main => defaultText(main, 'title')),
  textRule('6.7.3-3', 'Author', 'the only item of dc:creator', onlyCreator),
  textRule('6.7.3-4', 'Subject', 'dc:description', main => defaultText(main, 'description')),
  textRule('6.7.3-5', 'Keywords', 'pdf:Keywords', main => textOf(main, pdf, 'Keywords')),
  textRule('6.7.3-6', 'Creator', 'xmp:CreatorTool', main => textOf(main, xmp, 'CreatorTool')),
  textRule('6.7.3-7', 'Producer', 'pdf:Producer', main => textOf(main, pdf, 'Producer')),
  dateRule('6.7.3-8', 'ModDate', 'ModifyDate'),
]

function textRule(
  id: RuleId,
  key: string,
  name: string,
  read: (main: XmpPackage) => string | undefined,
): Rule<Information> {
  return {
    in: { 'pdfa-1': id },
    message: `/${key} of the information dictionary must equal ${name} in document metadata.`,
    check({ document, dict, main }) {
      const value = entryOf(document, dict, key)
      if (!value || value === PDFNull) return undefined
      const [text, repeated] = [shownText(value), read(main)]
      return text === repeated ? undefined : `${quoted(text)}, ${quoted(repeated)}`
    },
  }
}

/** Dates are compared only if both are present and the date in the metadata is valid. */
function dateRule(id: RuleId, key: string, name: string): Rule<Information> {
  return {
    in: { 'pdfa-1': id },
    message: `/${key} of the information dictionary must be the same time as xmp:${name} in document metadata.`,
    check({ document, dict, main }): Finding {
      const [date, repeated] = [readText(entryOf(document, dict, key)), textOf(main, xmp, name)]
      const time = repeated === undefined ? undefined : readXmpTime(repeated)
      if (date === undefined || time === undefined || readPdfTime(date) === time) return undefined
      return `${quoted(date)}, ${quoted(repeated)}`
    },
  }
}

/** The text of a string without a zero at its end, which some software writes. Other objects as in the file. */
function shownText(value: PDFObject): string {
  return readText(value)?.replace(/\0$/, '') ?? value.toString()
}

/** The text in the default language, or the first text. Undefined if the property isn't a set of alternatives. */
function defaultText(main: XmpPackage, name: string): string | undefined {
  const property = propertyOf(main, dc, name)
  if (!property?.isLangAlt) return undefined
  for (const item of property.children) {
    if (!item.isSimple || item.language === undefined) return undefined
    if (item.language === 'x-default') return item.value
  }
  return (property.children.find(item => item.language?.startsWith('x')) ?? property.children[0])?.value
}

function onlyCreator(main: XmpPackage): string | undefined {
  const creator = propertyOf(main, dc, 'creator')
  if (!creator?.isOrdered || creator.children.length !== 1) return undefined
  const [item] = creator.children
  return item?.isSimple ? item.value : undefined
}

function quoted(text: string | undefined): string {
  return text === undefined ? 'no text' : JSON.stringify(text.slice(0, 60))
}

const ISO = /^-?(\d+)(?:-(\d+)(?:-(\d+)(?:T(\d+)(?::(\d+)(?::(\d+)(?:\.(\d+))?)?)?(Z|[+-]\d+(?::\d+)?)?)?)?)?$/
const PDF = /^D:(\d{4})(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:([Z+-])(?:(\d\d)(?:'(\d\d))?)?)?)?)?)?)?)?$/

/**
 * The time of an XMP date, in milliseconds. Undefined if the date is invalid or empty. Like XMP toolkits, takes the
 * closest value for a part that is out of range, and 0 for a missing month or day. A date without a time zone is UTC.
 */
function readXmpTime(text: string): number | undefined {
  const match = ISO.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = match
  const [, zoneHour, zoneMinute] = /^[+-](\d+)(?::(\d+))?$/.exec(zone) ?? []
  const offset = clamp(zoneHour, 0, 23) * 60 + clamp(zoneMinute, 0, 59)
  const time = timeOf([
    clamp(year, 0, 9999),
    month === undefined ? -1 : clamp(month, 1, 12) - 1,
    day === undefined ? 0 : clamp(day, 1, 31),
    clamp(hour, 0, 23),
    clamp(minute, 0, 59),
    clamp(second, 0, 59),
  ])
  return time + Number(fraction.slice(0, 3).padEnd(3, '0')) - (zone.startsWith('-') ? -offset : offset) * 60_000
}

/**
 * The time of a PDF date (ISO 32000-1, 7.9.4), in milliseconds. Undefined if the date is invalid. Parts that are out of
 * range carry over.
 */
function readPdfTime(text: string): number | undefined {
  const match = PDF.exec(text.replace(/'$/, ''))
  if (!match) return undefined
  const [, year, month = '01', day = '01', hour, minute, second, sign = 'Z', zoneHour, zoneMinute] = match
  const [hours, minutes] = [Number(zoneHour ?? 0), Number(zoneMinute ?? 0)]
  if (sign === 'Z' && (hours > 0 || minutes > 0)) return undefined
  const offset = hours > 23 || minutes > 59 ? 0 : hours * 60 + minutes
  const parts = [year, Number(month) - 1, day, hour ?? 0, minute ?? 0, second ?? 0].map(Number)
  return timeOf(parts) - (sign === '-' ? -offset : offset) * 60_000
}

function timeOf([year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0]: readonly number[]): number {
  // Date.UTC takes years below 100 as years of the 20th century.
  return new Date(Date.UTC(2000, 0, 1, hour, minute, second)).setUTCFullYear(year, month, day)
}

function clamp(digits: string | undefined, least: number, most: number): number {
  return Math.min(Math.max(Number(digits ?? 0), least), most)
}
