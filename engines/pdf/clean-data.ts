export { cleanStreams } from './clean-data/clean-streams'
