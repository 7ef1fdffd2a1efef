import type { ToolSection } from '../../../types'
import published from './preset-figures.json' with { type: 'json' }

/** The results of a preset on generated samples. */
interface Figures {
  values: number
  found: number
  lookAlikes: number
  /** Matches that aren't a value, or that contain much more than one. */
  wrong: number
}

/** The published figures. A test computes them again and compares them. */
const PRESET_FIGURES: { total: Figures; presets: (Figures & { preset: string })[] } = published

/** Returns the documentation section about recall and precision of the presets. */
export function describePresetFigures(): ToolSection {
  const { total, presets } = PRESET_FIGURES
  return {
    heading: 'Recall and precision of presets',
    paragraphs: [
      `A test runs the presets on ${total.values.toLocaleString('en')} generated values and ` +
        `${total.lookAlikes.toLocaleString('en')} look-alikes. Each preset gets an equal share. Look-alikes are, for ` +
        'example, dates, amounts, order numbers, and numbers with wrong check digits. Recall is the share of values ' +
        'found. Precision is the share of matches that are values. Your documents differ, so check the result.',
    ],
    table: {
      columns: ['Preset', 'Values', 'Found', 'Wrong matches', 'Recall', 'Precision'],
      rows: [...presets.map(figures => [`\`${figures.preset}\``, ...cellsOf(figures)]), ['All', ...cellsOf(total)]],
    },
  }
}

function cellsOf({ values, found, wrong }: Figures): string[] {
  const counts = [values, found, wrong].map(count => count.toLocaleString('en'))
  return [...counts, percent(found / values), percent(found / (found + wrong))]
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
