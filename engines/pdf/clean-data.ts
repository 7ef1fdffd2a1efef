export { rewriteInlineImages } from './clean-data/clean-inline-images'
export { listPalettes } from './clean-data/clean-palettes'
export { cleanStreams } from './clean-data/clean-streams'
