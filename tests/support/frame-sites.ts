import { startSite } from './site'

/** A page with frames of several other sites. A browser runs each site in a separate process. */
export interface FrameSites {
  /** In the format of WEBPAGE_ALLOWED_HOSTS: a name for each site, all at one loopback port. */
  allowedHosts: string
  /** HTML of a page whose frames each use this much memory. */
  makePage(frames: number, megabytes: number): string
  /** HTML of a page with this text that loads until `release` is called. */
  makeHeldPage(words: string): string
  release(): void
  close(): Promise<void>
}

/** Starts `most` sites. */
export async function startFrameSites(most: number): Promise<FrameSites> {
  let release = () => {}
  const released = new Promise<void>(resolve => (release = resolve))
  const site = await startSite({
    '/held': (_request, response) => void released.then(() => response.end()),
    '/frame': (request, response) => {
      const megabytes = new URL(request.url ?? '/', 'http://site').searchParams.get('mb')
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          `<p>x</p><script>const all = []; for (let i = 0; i < ${Number(megabytes)}; i++) all.push(new ` +
            'Uint8Array(2 ** 20).fill(i))</script>',
        )
    },
  })
  return {
    allowedHosts: Array.from({ length: most }, (_, index) => `${nameSite(index)}=${site.host}`).join(','),
    makePage: (frames, megabytes) =>
      Array.from(
        { length: frames },
        (_, index) => `<iframe src="http://${nameSite(index)}/frame?mb=${megabytes}"></iframe>`,
      ).join(''),
    makeHeldPage: words => `<p>${words}</p><script src="http://${nameSite(0)}/held"></script>`,
    release,
    close: site.close,
  }
}

/** Each site is a separate registrable domain, so frames of two sites are cross-site. */
function nameSite(index: number): string {
  return `site-${index}.test`
}
