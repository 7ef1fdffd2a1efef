import { PDFDict, PDFName } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { elementsBelow } from '../../pdf-core/document/structure-elements'
import { DICTIONARY } from '../../pdf-core/syntax/content-operands'
import { Parser } from '../../pdf-core/syntax/parser'
import { readText } from '../../pdf-core/syntax/text-string'
import type { ContentListener, Scene } from '../content/scene'
import type { Examination } from '../examination'
import { entryOf } from '../model'
import type { Place } from '../report'
import type { Rule } from '../rules'

/** Rules for the value of a /Lang entry. */
export const LANGUAGE_RULES: readonly Rule<string>[] = [
  {
    in: { 'pdfua-1': '7.2-29' },
    message: 'The value of /Lang must be a language tag such as en or en-US.',
    check: language =>
      /^[a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*$/.test(language) ? undefined : JSON.stringify(language.slice(0, 40)),
  },
]

/** Checks the languages of the catalog and of structure elements. Returns the listener for those in content. */
export function examineLanguages(examination: Examination): ContentListener | undefined {
  if (!examination.has(LANGUAGE_RULES)) return undefined
  const { document } = examination
  checkLanguage(examination, document.catalog)
  const root = document.peekDict(document.catalog.get(PDFName.of('StructTreeRoot')))
  if (root) for (const { dict } of elementsBelow(document, root)) checkLanguage(examination, dict)
  return {
    operator: scene => {
      if (scene.reader.operator === 'BDC') checkLanguage(examination, propertiesOf(scene), scene.place)
    },
  }
}

function checkLanguage(examination: Examination, dict: PDFDict | undefined, place?: Place): void {
  const language = readText(entryOf(examination.document, dict, 'Lang'))
  if (language !== undefined) examination.apply(LANGUAGE_RULES, language, place)
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
