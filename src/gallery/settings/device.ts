/** Patterns of user agents and the browsers' names; the first match wins. */
const BROWSERS: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

interface Device {
  /** The browser, or another program as it calls itself. */
  program: string
  /** Such as `Android`; undefined if the user agent doesn't say it. */
  system: string | undefined
}

/** Returns the browser and the system of a user agent. */
export function deviceOf(userAgent: string): Device {
  const find = (names: [RegExp, string][]) => names.find(([sign]) => sign.test(userAgent))?.[1]
  return {
    program: find(BROWSERS) ?? userAgent.split(/[/\s]/)[0]!,
    system: find(SYSTEMS),
  }
}
