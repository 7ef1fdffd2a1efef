export { rewriteInlineImages } from './clean-data/clean-inline-images'
export { cleanStreams } from './clean-data/clean-streams'
