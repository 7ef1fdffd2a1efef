import { CONTENT_GROUPS } from './all-groups'
import { expectTraps } from './expect-traps'

expectTraps(CONTENT_GROUPS)
