import { readFormHints } from '../../../engines/options/form-hints'
import type { JsonSchema } from '../../../lib/docs/json-schema'
import type { FieldShape, ShapeChoice } from '../../_ui/playground/form/field-shapes'

/** Names of alternatives without a title of their own. */
const TITLES: Partial<Record<FieldShape['kind'], string>> = {
  text: 'Text',
  number: 'Number',
  measure: 'Length',
  pages: 'Page selection',
  switch: 'Yes or no',
  list: 'List',
  choices: 'Selection',
  file: 'File',
  object: 'Details',
}

/**
 * Returns the control for a value of several kinds. Page numbers and selectors are one control, and so are a number and a
 * text with a unit.
 */
export function describeUnion(
  kinds: JsonSchema[],
  listItems: (kind: JsonSchema) => JsonSchema[],
  describe: (kind: JsonSchema) => FieldShape,
): FieldShape {
  const isListOfPages = (kind: JsonSchema) =>
    kind.type === 'array' && listItems(kind).every(({ type, minimum }) => type === 'integer' && minimum === 1)
  const isText = (kind: JsonSchema) => kind.type === 'string' && kind.enum === undefined && kind.const === undefined
  const isNumber = ({ type }: JsonSchema) => type === 'number'
  const takesPages = kinds.some(isListOfPages)
  const takesMeasure =
    !takesPages && kinds.some(isNumber) && kinds.some(kind => isText(kind) && kind.pattern !== undefined)
  const isPart = takesPages
    ? (kind: JsonSchema) => isListOfPages(kind) || isText(kind) || kind.type === 'integer'
    : takesMeasure
      ? (kind: JsonSchema) => isNumber(kind) || isText(kind)
      : () => false
  const part: FieldShape = takesPages ? { kind: 'pages' } : { kind: 'measure' }
  const parts = kinds.filter(isPart)
  const others = kinds.filter(kind => !isPart(kind)).map(kind => nameShape([kind], describe(kind)))
  if (others.length === 0) return part
  return { kind: 'union', choices: parts.length === 0 ? others : [nameShape(parts, part), ...others] }
}

function nameShape(kinds: JsonSchema[], shape: FieldShape): ShapeChoice {
  const [hints] = kinds.map(readFormHints).filter(({ title, isAlias }) => title !== undefined || isAlias)
  const title = hints?.title ?? TITLES[shape.kind] ?? ''
  return { title, shape, ...(hints?.isAlias === true ? { isAlias: true as const } : {}) }
}
