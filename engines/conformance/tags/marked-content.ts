import { PDFDict } from 'pdf-lib'
import type { Scene } from '../content/scene'
import { DICTIONARY } from '../../pdf-core/syntax/content-operands'
import { Parser } from '../../pdf-core/syntax/parser'
import { plainDict } from '../examination/model'

/** The tag of `BMC` or `BDC`. */
export function tagOf({ reader }: Scene): string | undefined {
  return reader.nameAt(reader.operands.count - (reader.operator === 'BDC' ? 2 : 1))
}

/** The property list of `BDC`: a resource, or a dictionary in the content. */
export function propertiesOf(scene: Scene): PDFDict | undefined {
  const { document, reader } = scene
  const { operands } = reader
  const last = operands.count - 1
  if (reader.operator !== 'BDC' || last < 0) return undefined
  if (operands.kinds[last] !== DICTIONARY) return plainDict(document, scene.resource('Properties', reader.name))
  const dict = new Parser(reader.bytes, document.context, 0).parseAt(operands.starts[last] ?? 0)
  return dict instanceof PDFDict ? dict : undefined
}
