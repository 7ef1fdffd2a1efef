import type { Row } from '../hostile/chaos/scenario'
import type { Fleet } from './instances'

/** The fixtures of a part. */
export interface Context {
  /** Three ready instances behind a balancer. */
  fleet: Fleet
  /** How long the part should run if its duration is adjustable. */
  seconds: number
  /** Returns numbers from 0 to 1, the same in each run. */
  random(): number
}

/** A part of the run. */
export interface Part {
  /** The name for `--part`. */
  name: string
  /** A sentence with the question that the part answers. */
  asks: string
  run(context: Context): Promise<Row[]>
}
