import type { PDFDict } from 'pdf-lib'
import { elementsBelow } from '../../../pdf/document'
import { readText } from '../../../pdf/syntax'
import type { ContentVisitor } from '../../../pdf/walk-content'
import type { Examination } from '../examination/examination'
import { entryOf } from '../examination/model'
import type { Location } from '../examination/report'
import type { Rule } from '../examination/rules'
import type { Part } from './part'
import * as Name from '../../../pdf/names'

/** Rules for the value of a /Lang entry. */
const LANGUAGE_RULES: readonly Rule<string>[] = [
  {
    in: { 'pdfua-1': '7.2-29' },
    message: 'The value of /Lang must be a language tag such as en or en-US.',
    check: language =>
      /^[a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*$/.test(language) ? undefined : JSON.stringify(language.slice(0, 40)),
  },
]

/** Checks the languages of the catalog, of structure elements and of marked content. */
export class Languages implements Part {
  readonly listener: ContentVisitor | undefined

  constructor(private readonly examination: Examination) {
    if (examination.has(LANGUAGE_RULES))
      this.listener = {
        operator: walk => {
          if (walk.reader.operator === 'BDC') this.check(examination.document.peekDict(walk.properties), walk.location)
        },
      }
  }

  start(): void {
    const { document } = this.examination
    if (!this.listener) return
    this.check(document.catalog)
    const root = document.peekDict(document.catalog.get(Name.StructTreeRoot))
    if (root) for (const { dict } of elementsBelow(document, root)) this.check(dict)
  }

  leaveUndecided(): void {
    this.examination.leaveUndecided(LANGUAGE_RULES)
  }

  private check(dict: PDFDict | undefined, location?: Location): void {
    const language = readText(entryOf(this.examination.document, dict, 'Lang'))
    if (language !== undefined) this.examination.apply(LANGUAGE_RULES, language, location)
  }
}
