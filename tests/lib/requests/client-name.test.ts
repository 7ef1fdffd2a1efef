import { describe, expect, it } from 'vitest'
import { shortenAgent } from '../../../lib/requests/client-details'
import { nameClient } from '../../../lib/requests/client-name'

describe('the name of a client', () => {
  it.each([
    ['curl/8.5.0', 'curl 8'],
    ['node', 'Node'],
    ['Node/24.1.0', 'Node 24'],
    ['undici', 'Node undici'],
    ['node-fetch/1.0 (+https://github.com/node-fetch/node-fetch)', 'Node node-fetch 1'],
    ['axios/1.7.9', 'axios 1'],
    ['python-requests/2.32.3', 'Python requests 2'],
    ['python-httpx/0.27.0', 'Python httpx 0'],
    ['Python-urllib/3.12', 'Python urllib 3'],
    ['Python/3.12 aiohttp/3.9.5', 'Python aiohttp 3'],
    ['Go-http-client/2.0', 'Go'],
    ['Java-http-client/21.0.1', 'Java 21'],
    ['okhttp/4.12.0', 'okhttp 4'],
    ['GuzzleHttp/7', 'PHP Guzzle 7'],
    ['PostmanRuntime/7.43.0', 'Postman 7'],
    ['Ruby', 'Ruby'],
    ['Acme-Billing/v3.1 curl/8.5.0', 'Acme-Billing 3'],
    ['Acme/nightly', 'Acme'],
    ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36', 'Chrome 142'],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/142.0.0.0 Safari/537.36',
      'Headless Chrome 142',
    ],
    ['Mozilla/5.0 AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0', 'Edge 142'],
    ['Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 Version/18.1 Safari/605.1.15', 'Safari 18'],
    ['constructor/1', 'constructor 1'],
  ])('with %s is %s', (header, name) => {
    expect(nameClient(shortenAgent(header) ?? '')).toBe(name)
  })
})
