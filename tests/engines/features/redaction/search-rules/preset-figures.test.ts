import { describe, expect, it } from 'vitest'
import { PRESETS } from '../../../../../engines/features/redaction/search-rules/presets'
import { openFinder } from '../../../../../engines/features/redaction/search-rules/rules'
import { composeText, spanOf } from '../../../../../engines/features/redaction/matching/search-text'
import { makeSamples } from './preset-values'
import type { Sample } from './preset-values'

/** Characters beside a value that a match may include: a bracket or a punctuation mark. */
const SLACK = 2

/** Presets for bare numbers. Only people can distinguish these numbers from other numbers. */
const BARE = new Set<string>(['ssn', 'zip'])

interface Outcome {
  isFound: boolean
  /** Matches that aren't values, or are much longer than a value. */
  wrong: number
}

const samples = makeSamples(PRESETS)

function judge({ preset, text, value, start, isValue }: Sample): Outcome {
  const searched = composeText(Array.from(text))
  const spans = openFinder({ preset, caseSensitive: false, wholeWord: false })(searched).map(match =>
    spanOf(searched, match),
  )
  const end = start + Array.from(value).length - 1
  const isRight = ({ first, last }: { first: number; last: number }): boolean =>
    isValue && first <= start && last >= end && first >= start - SLACK && last <= end + SLACK
  return {
    isFound: isValue && spans.some(({ first, last }) => first <= start && last >= end),
    wrong: spans.filter(span => !isRight(span)).length,
  }
}

function measure(own: readonly Sample[]): {
  values: number
  found: number
  lookAlikes: number
  wrong: number
} {
  const outcomes = own.map(judge)
  const values = own.filter(({ isValue }) => isValue).length
  const found = outcomes.filter(({ isFound }) => isFound).length
  const wrong = outcomes.reduce((sum, outcome) => sum + outcome.wrong, 0)
  return {
    values,
    found,
    lookAlikes: own.length - values,
    wrong,
  }
}

function judgeFigures({ values, found, wrong }: ReturnType<typeof measure>): { recall: number; precision: number } {
  return { recall: found / values, precision: found / (found + wrong) }
}

describe('presets on generated values and look-alikes', () => {
  const presets = PRESETS.map(preset => ({ preset, ...measure(samples.filter(sample => sample.preset === preset)) }))
  const total = measure(samples)

  it('find 98 % of the values, and 95 % of their matches are values', () => {
    expect(total.values).toBeGreaterThanOrEqual(2000)
    expect(total.lookAlikes).toBeGreaterThanOrEqual(2000)
    const { recall, precision } = judgeFigures(total)
    expect(recall).toBeGreaterThanOrEqual(0.98)
    expect(precision).toBeGreaterThanOrEqual(0.95)
    for (const { preset, ...figures } of presets) {
      const { recall, precision } = judgeFigures(figures)
      expect([preset, recall >= 0.9, precision >= (BARE.has(preset) ? 0.75 : 0.9)]).toEqual([preset, true, true])
    }
  })

  it('have the figures in the documentation, which `vitest --update` rewrites', async () => {
    await expect(`${JSON.stringify({ total, presets }, undefined, 2)}\n`).toMatchFileSnapshot(
      '../../../../../engines/features/redaction/search-rules/preset-figures.json',
    )
  })
})
