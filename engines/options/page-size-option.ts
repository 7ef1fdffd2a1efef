import * as z from 'zod'
import { boundedText } from './bounded-text'
import { inForm } from './form-hints'
import { LENGTH_PATTERN, MAX_LENGTH_TEXT, readLength } from './lengths'
import type { Length } from './lengths'
import { PAGE_SIZE_NAMES, findPageSize } from './page-sizes'
import type { PageSize } from './page-sizes'
import { checked } from './checks'

const LEAST_PT = 3
const MOST_PT = 14_400

function sideProblem(value: Length): string | undefined {
  const points = readLength(value)
  if (points === undefined)
    return (
      `must be a length. Got "${String(value)}". Use points as a number, or a number with pt, mm, cm, in or px, such ` +
      'as "210mm".'
    )
  if (points >= LEAST_PT && points <= MOST_PT) return undefined
  return `must be ${LEAST_PT} to ${MOST_PT.toLocaleString('en')} points. Got ${String(value)}.`
}

const side = (name: string) =>
  z
    .union([
      z.number().meta({ minimum: LEAST_PT, maximum: MOST_PT }),
      boundedText(MAX_LENGTH_TEXT).meta({ pattern: LENGTH_PATTERN }),
    ])
    .superRefine(checked(sideProblem))
    .describe(`${name} of the page in points, or a string with a unit, such as \`210mm\`.`)

/**
 * An option for a page size: one of the tool's own words, the name of a size, or width and height. `words` has the label
 * of each word.
 */
export function pageSizeOption(words: Readonly<Record<string, string>>) {
  const names = [...Object.keys(words), ...PAGE_SIZE_NAMES]
  const name = boundedText(40)
    .superRefine(
      checked(value =>
        Object.hasOwn(words, value.toLowerCase()) || findPageSize(value)
          ? undefined
          : `must be a page size. Got ${JSON.stringify(value)}. Use ${names.join(', ')}, or an object with width and ` +
            'height.',
      ),
    )
    .meta(inForm({ choices: Object.fromEntries(names.map(one => [one, words[one] ?? one])) }))
  const size = z.strictObject({ width: side('Width'), height: side('Height') })
  return z.union([name, size.meta(inForm({ title: 'Custom size' }))])
}

/** The names of all sizes, for option descriptions. */
export const PAGE_SIZE_HELP = `${PAGE_SIZE_NAMES.map(name => `\`${name}\``).join(', ')} (in upper or lower case), or \`{width, height}\``

/** The page size in points. Undefined if the value is one of the tool's own words. */
export function readPageSize(value: string | { width: Length; height: Length }): PageSize | undefined {
  if (typeof value === 'string') return findPageSize(value)
  const [width, height] = [readLength(value.width), readLength(value.height)]
  return width === undefined || height === undefined ? undefined : { width, height }
}
