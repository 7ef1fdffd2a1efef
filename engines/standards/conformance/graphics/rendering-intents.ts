import { inAllParts } from '../examination/rules'
import type { Rule } from '../examination/rules'

/** The rendering intents (ISO 32000-1, table 70). */
const INTENTS = ['RelativeColorimetric', 'AbsoluteColorimetric', 'Perceptual', 'Saturation']

/** Rules on names of rendering intents, wherever they are set. */
export const RENDERING_INTENT_RULES: Rule<string>[] = [
  {
    in: inAllParts('6.2.9-1', '6.2.6-1'),
    message: 'A rendering intent must be one of the four that the PDF standard defines.',
    check: intent => (INTENTS.includes(intent) ? undefined : `rendering intent ${intent}`),
  },
]
