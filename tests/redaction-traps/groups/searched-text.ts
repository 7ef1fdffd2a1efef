import { HIDDEN_TRAPS, TEXT_TRAPS } from '../../fixtures/search-traps'
import type { Trap } from '../../fixtures/traps'
import type { Construction, TrapGroup } from '../trap'

/** A rule for a secret, by variant. */
const RULES: ((secret: string) => object)[] = [
  secret => ({ text: secret.toLowerCase() }),
  secret => ({ text: secret, caseSensitive: true }),
]
const EXPRESSION: ((secret: string) => object)[] = [secret => ({ regex: `${secret.slice(0, 4)}[A-Z]{8}` })]

/** Text whose /ToUnicode differs from its glyphs. A reader can't know which one is right. */
const CONTRADICTING = new Set(['with a wrong Unicode mapping'])

type Makers = Record<string, (secret: string) => Trap>

function listConstructions(place: string, traps: Makers, rules: ((secret: string) => object)[]): Construction[] {
  return Object.entries(traps).map(([name, make]) => ({
    name: `${place}: ${name}`,
    variants: rules.length,
    make(secret, variant) {
      const { file, secrets, kept } = make(secret)
      const gone = [...new Set([secret, ...secrets])]
      return {
        file,
        options: { search: [rules[variant]?.(secret)] },
        gone,
        stays: kept,
        seenBy: [],
        mayBeUnverified: CONTRADICTING.has(name),
      }
    },
  }))
}

export const PAGE_TEXT: TrapGroup = {
  name: 'Text on pages',
  cause: 'Text in pieces, with other character codes, rotated, hidden or outside of the page area.',
  constructions: listConstructions('on a page', TEXT_TRAPS, [...RULES, ...EXPRESSION]),
}

export const HIDDEN_TEXT: TrapGroup = {
  name: 'Text elsewhere in the file',
  cause: 'Text in comments, fields, scripts, bookmarks, names, metadata, structure and unused streams.',
  constructions: listConstructions('elsewhere', HIDDEN_TRAPS, RULES),
}

export const HIDDEN_TEXT_BY_EXPRESSION: TrapGroup = {
  name: 'Text elsewhere, by regex',
  cause: 'The same places, searched with a regex that matches only the secret.',
  constructions: listConstructions('elsewhere, by regex', HIDDEN_TRAPS, EXPRESSION),
}
