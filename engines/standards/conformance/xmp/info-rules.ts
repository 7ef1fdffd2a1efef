import type { PDFDict, PDFObject } from 'pdf-lib'
import { PDFNull } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import { readText } from '../../../pdf/syntax'
import { entryOf } from '../examination/model'
import type { Finding, Rule, RuleId } from '../examination/rules'
import { NAMESPACES } from './namespaces'
import { readPdfTime, readXmpTime } from './xmp-dates'
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
