import type { Chapter } from './chapter'
import { accountProof } from './chapters/account-proof'
import { accountSecrets } from './chapters/account-secrets'
import { accountSession } from './chapters/account-session'
import { accountSignIn } from './chapters/account-sign-in'
import { clientGone } from './chapters/client-gone'
import { clock } from './chapters/clock'
import { database } from './chapters/database'
import { disk } from './chapters/disk'
import { fairFailures } from './chapters/fair-failures'
import { fairQueue } from './chapters/fair-queue'
import { fairReaders } from './chapters/fair-readers'
import { fairUploads } from './chapters/fair-uploads'
import { filesHostile, filesMutants } from './chapters/files'
import { idempotency } from './chapters/idempotency'
import { lastCredit } from './chapters/last-credit'
import { ledgerBrowser } from './chapters/ledger-browser'
import { ledgerEngine } from './chapters/ledger-engine'
import { ledgerServer } from './chapters/ledger-server'
import { ledgerSigterm } from './chapters/ledger-sigterm'
import { heldLoad } from './chapters/load'
import { names } from './chapters/names'
import { neighbour } from './chapters/neighbour'
import { pageMemory } from './chapters/page-memory'
import { purchases } from './chapters/purchases'
import { purchasesDeleted } from './chapters/purchases-deleted'
import { purchasesTopUp } from './chapters/purchases-top-up'
import { raw } from './chapters/raw'
import { rotation } from './chapters/rotation'
import { slow } from './chapters/slow'
import { webAddresses } from './chapters/web-addresses'
import { webPages } from './chapters/web-pages'

/** In the order in which they run. */
export const CHAPTERS: Chapter[] = [
  ...[ledgerServer, ledgerEngine, ledgerBrowser, ledgerSigterm, lastCredit, rotation, idempotency, clientGone, clock],
  ...[purchases, purchasesTopUp, purchasesDeleted, database, disk],
  ...[filesHostile, ...filesMutants, names, raw, slow, heldLoad, neighbour],
  ...[fairUploads, fairQueue, fairReaders, fairFailures, webAddresses, webPages, pageMemory],
  ...[accountSignIn, accountSession, accountSecrets, accountProof],
]
