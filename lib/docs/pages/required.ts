import type * as z from 'zod'
import { ALTERNATIVES, type Alternative } from '../../../engines/options/alternatives'
import { describeOptions } from '../describe'
import { list, prose, type Block } from './page'

/** Returns which parameters of a schema are required, and which alternatives it accepts. */
export function describeRequired(schema: z.ZodObject): Block[] {
  const required = describeOptions(schema).filter(({ name, isRequired }) => isRequired && !/[.[]/.test(name))
  const names = joinWords(required.map(({ name }) => `\`${name}\``))
  // As `alternatives` returns it.
  const alternatives = schema.meta()?.[ALTERNATIVES] as readonly Alternative[] | undefined
  return [
    ...(required.length > 0 ? [prose(`Required: ${names}.`)] : []),
    ...(alternatives === undefined
      ? []
      : [prose(introduce(alternatives)), list(...alternatives.map(describeAlternative))]),
    ...(required.length === 0 && alternatives === undefined ? [prose(describeOptional(schema))] : []),
  ]
}

function describeOptional(schema: z.ZodObject): string {
  return schema.safeParse({}).success
    ? 'All parameters are optional.'
    : 'Send at least one parameter that changes the file.'
}

/** Parameters that exclude nothing can be sent together. */
function introduce(alternatives: readonly Alternative[]): string {
  const canCombine = alternatives.every(({ without = [] }) => without.length === 0)
  return canCombine
    ? 'Send at least one of these parameters. All other parameters are optional.'
    : 'Send one of these combinations. Parameters that the combination does not name are optional.'
}

/** Returns one combination as text: its required parameters, then the values and parameters that it excludes. */
function describeAlternative({ required, values = {}, without = [] }: Alternative): string {
  const free = joinWords(required.filter(name => !values[name]).map(name => `\`${name}\``))
  const fixed = joinWords(
    required.flatMap(name => (values[name] ? [`\`${name}\` set to ${writeValues(values[name])}`] : [])),
  )
  const needed = [free, fixed].filter(words => words !== '').join(' with ')
  const restricted = Object.entries(values)
    .filter(([name]) => !required.includes(name))
    .map(([name, allowed]) => ` If you set \`${name}\`, it must be ${writeValues(allowed)}.`)
  const names = without.map(name => `\`${name}\``)
  if (needed === '') return `No ${joinWords(names, 'and no')}.${restricted.join('')}`
  return `${needed}${names.length === 0 ? '' : `, without ${joinWords(names, 'or')}`}.${restricted.join('')}`
}

function writeValues(values: readonly (string | boolean)[]): string {
  return joinWords(
    values.map(value => `\`${JSON.stringify(value)}\``),
    'or',
  )
}

function joinWords(words: readonly string[], conjunction = 'and'): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1) ?? ''}`
}
