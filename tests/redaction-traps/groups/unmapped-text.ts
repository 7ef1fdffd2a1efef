import { addCidCff, addCidTrueType } from '../fonts/composite-subsets'
import { addSimpleCff, addTrueType, addType1, addType3 } from '../fonts/simple-subsets'
import type { AddSubset } from '../fonts/subset-parts'
import type { Construction, TrapGroup } from '../trap'
import { makeFontFile, outlinesOf } from './embedded-fonts'

/** Subsets whose text can't be searched, and their /ToUnicode. */
const FONTS: Record<string, AddSubset> = {
  'no mapping in a CID TrueType': addCidTrueType({ codes: 'gid', meaning: 'none' }),
  'no mapping in a CID-keyed CFF': addCidCff({ meaning: 'none' }),
  'no mapping in a TrueType with counted codes': addTrueType({ codes: 'counted', cmap: [1, 0, 0], meaning: 'none' }),
  'no mapping in a Type 3 with counted names': addType3({ codes: 'counted', meaning: 'none' }),
  'private characters in a CID TrueType': addCidTrueType({ codes: 'gid', meaning: 'private' }),
  'private characters in a bare CFF': addSimpleCff({ codes: 'counted', meaning: 'private' }),
  'wrong characters in a CID TrueType': addCidTrueType({ codes: 'gid', meaning: 'wrong', hasCmap: true }),
  'wrong characters in a Type 1': addType1({ codes: 'counted', meaning: 'wrong' }),
  'wrong characters in a TrueType with WinAnsi codes': addTrueType({
    codes: 'own',
    cmap: [3, 1, 0],
    isNonsymbolic: true,
    meaning: 'wrong',
  }),
}

/** Without recognition: by a text, by an expression, and beside searchable text. */
const RULES: ((secret: string) => object)[] = [
  secret => ({ text: secret }),
  secret => ({ regex: secret }),
  secret => ({ text: secret, wholeWord: true }),
]

function makeConstruction(name: string, add: AddSubset): Construction {
  return {
    name: `unmapped text: ${name}`,
    variants: RULES.length,
    make(secret, variant) {
      const file = makeFontFile(add, { secret, way: { isSearched: true, subset: 'own' } })
      return {
        file,
        options: { search: [RULES[variant]?.(secret)] },
        gone: [],
        stays: ['BESIDE'],
        seenBy: ['glyphs'],
        outlines: outlinesOf(secret),
        mayBeUnverified: true,
      }
    },
  }
}

export const UNMAPPED_TEXT: TrapGroup = {
  name: 'Text without a usable mapping',
  cause: 'Fonts without a Unicode mapping, or with a private or wrong one, so that no search finds the text.',
  constructions: Object.entries(FONTS).map(([name, add]) => makeConstruction(name, add)),
}

/** The fonts that recognition has to read, one for each kind of missing mapping. */
export const READ_BY_RECOGNITION = [
  'no mapping in a CID TrueType',
  'no mapping in a Type 3 with counted names',
  'private characters in a bare CFF',
  'wrong characters in a CID TrueType',
].map(name => ({ name, add: FONTS[name] as AddSubset }))
