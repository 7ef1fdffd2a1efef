import type { Row } from '../hostile/chaos/scenario'
import type { Fleet } from './instances'

/** What a part works with. */
export interface Context {
  /** Three instances that are ready, behind a balancer. */
  fleet: Fleet
  /** How long the part should go on where that is a matter of choice. */
  seconds: number
  /** From 0 to 1; the same numbers in each run. */
  random(): number
}

/** A part of the run. */
export interface Part {
  /** What `--part` names it by. */
  name: string
  /** What it asks of the fleet, in a sentence. */
  asks: string
  run(context: Context): Promise<Row[]>
}
