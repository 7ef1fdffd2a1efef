import { TRAPS, UNDER } from '../../fixtures/traps'
import type { TrapGroup } from '../trap'

/** How the area is redacted, by variant. */
const WAYS = [{}, { rasterize: 'pages' }]

export const PAGE_CONTENT: TrapGroup = {
  name: 'Content under an area',
  cause: 'Text, shapes, images, masks, patterns and annotations under an area.',
  constructions: Object.entries(TRAPS).map(([name, make]) => ({
    name: `under an area: ${name}`,
    variants: WAYS.length,
    make(secret, variant) {
      const { file, secrets, kept } = make(secret)
      return {
        file,
        options: { areas: [{ page: 1, ...UNDER }], ...WAYS[variant] },
        gone: secrets,
        stays: kept,
        seenBy: ['bytes'],
      }
    },
  })),
}
