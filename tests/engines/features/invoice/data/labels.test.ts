import { describe, expect, it } from 'vitest'
import { LABELS } from '../../../../../engines/features/invoice/data/label-texts'
import { resolveLabels } from '../../../../../engines/features/invoice/data/labels'

const languages = Object.entries(LABELS)
const placeholders = (text: string): string[] => [...(text.match(/\{\w+\}/g) ?? [])].sort()

describe('labels', () => {
  it.each(languages)('are complete in %s, with the same placeholders', (_, labels) => {
    expect(Object.keys(labels)).toEqual(Object.keys(LABELS.en))
    for (const [name, text] of Object.entries(labels)) {
      expect(text.trim(), name).not.toBe('')
      expect(placeholders(text), name).toEqual(placeholders(LABELS.en[name as keyof typeof LABELS.en])) // A key of labels.
    }
  })

  it('have the terms of tax law', () => {
    const terms = Object.fromEntries(
      languages.map(([language, { reverseChargeReason }]) => [language, reverseChargeReason]),
    )
    expect(terms).toMatchObject({
      en: 'Reverse charge',
      de: 'Steuerschuldnerschaft des Leistungsempfängers',
      fr: 'Autoliquidation',
      es: 'Inversión del sujeto pasivo',
      it: 'Inversione contabile',
      pt: 'IVA – autoliquidação',
      nl: 'Btw verlegd',
      pl: 'Odwrotne obciążenie',
    })
  })

  it('of a language are replaced by those of the request', () => {
    expect(resolveLabels('de-AT', { vatId: 'UID' })).toMatchObject({ vatId: 'UID', exempt: 'Steuerfrei' })
  })
})
