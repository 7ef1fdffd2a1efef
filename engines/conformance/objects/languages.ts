import { PDFDict, PDFName } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { elementsBelow } from '../../pdf-core/document/structure-elements'
import { DICTIONARY } from '../../pdf-core/syntax/content-operands'
import { Parser } from '../../pdf-core/syntax/parser'
import { readText } from '../../pdf-core/syntax/text-string'
import type { ContentListener, Scene } from '../content/scene'
import type { Examination } from '../examination/examination'
import { entryOf } from '../examination/model'
import type { Place } from '../examination/report'
import type { Rule } from '../examination/rules'
import type { Part } from './part'

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
  readonly listener: ContentListener | undefined

  constructor(private readonly examination: Examination) {
    if (examination.has(LANGUAGE_RULES))
      this.listener = {
        operator: scene => {
          if (scene.reader.operator === 'BDC') this.check(propertiesOf(scene), scene.place)
        },
      }
  }

  start(): void {
    const { document } = this.examination
    if (!this.listener) return
    this.check(document.catalog)
    const root = document.peekDict(document.catalog.get(PDFName.of('StructTreeRoot')))
    if (root) for (const { dict } of elementsBelow(document, root)) this.check(dict)
  }

  leaveUndecided(): void {
    this.examination.leaveUndecided(LANGUAGE_RULES)
  }

  private check(dict: PDFDict | undefined, place?: Place): void {
    const language = readText(entryOf(this.examination.document, dict, 'Lang'))
    if (language !== undefined) this.examination.apply(LANGUAGE_RULES, language, place)
  }
}

/** The property list of a `BDC` operator, in the content or in the resources. */
function propertiesOf(scene: Scene): PDFDict | undefined {
  const { reader, document } = scene
  const { operands, bytes } = reader
  const last = operands.count - 1
  if (operands.kinds[last] !== DICTIONARY) return document.peekDict(scene.resource('Properties', reader.name))
  const properties: PDFObject = new Parser(bytes, document.context, 0, operands.ends[last]).parseAt(
    operands.starts[last] ?? 0,
  )
  return properties instanceof PDFDict ? properties : undefined
}
