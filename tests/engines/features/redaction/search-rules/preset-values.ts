import type { Preset } from '../../../../../engines/features/redaction/search-rules/presets'
import { lookAlike } from './preset-look-alikes'
import { writeValue } from './preset-writers'
import { Random } from './random'

/** A sentence with a value of a preset, or with a look-alike. Both begin at `start`. */
export interface Sample {
  preset: Preset
  /** Whether the text is a value, not a look-alike. */
  isValue: boolean
  text: string
  value: string
  start: number
}

/** Samples of each kind for each preset. 11 presets make 2,002 values and 2,002 look-alikes. */
const EACH = 182

const SENTENCES: [before: string, behind: string][] = [
  ['Please use ', ' for all replies.'],
  ['The file says ', ', as agreed.'],
  ['', ' was given by the witness'],
  ['Contact (', ') before Friday.'],
  ['Bitte notieren: ', '; danke.'],
  ['Sie nannte\n', '\nund ging.'],
  ['Value: ', '.'],
  ['We have "', '" on record.'],
]

/** Returns the same samples every time: values in the forms that people write, and look-alikes, in sentences. */
export function makeSamples(presets: readonly Preset[]): Sample[] {
  const random = new Random(20_261_123)
  return presets.flatMap(preset =>
    Array.from({ length: 2 * EACH }, (_, index): Sample => {
      const isValue = index < EACH
      const [value, before, behind] = isValue
        ? [writeValue(preset, random), ...random.pick(SENTENCES)]
        : ([...lookAlike(preset, random), ...random.pick(SENTENCES)].slice(0, 3) as [string, string, string])
      return { preset, isValue, text: `${before}${value}${behind}`, value, start: before.length }
    }),
  )
}
