/**
 * Command-line arguments of every browser. The default proxy is a port without a listener, also for loopback addresses.
 * Only pages with their own proxy reach the network. Network requests by Chromium itself are disabled. A full browser
 * would start a renderer of 160 MB for the popup of each address bar.
 */
export const BROWSER_FLAGS: readonly string[] = [
  '--headless',
  '--proxy-server=http://127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--dns-prefetch-disable',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--no-pings',
  '--no-first-run',
  '--no-default-browser-check',
  '--mute-audio',
  '--hide-scrollbars',
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-webgl',
  '--disable-print-preview',
  '--disable-extensions',
  '--disable-hang-monitor',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,AsyncDns,DnsOverHttps,PrefetchProxy,Prerender2,WebUIOmniboxPopup,WebUIOmniboxAimPopup',
  '--js-flags=--max-old-space-size=512',
]
