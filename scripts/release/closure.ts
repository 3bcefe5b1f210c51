/** A package of the lock file. */
interface Locked {
  dev?: boolean
  /** Whether it is a folder of the project, which has an entry of its own. */
  link?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
}

const HERE = { os: 'linux', cpu: 'x64', libc: 'glibc' }

/**
 * Returns the paths below `node_modules` of all packages that a lock file has for production on Linux with glibc,
 * sorted; one that is nested in another has the path of both.
 */
export function productionClosure(lock: { packages: Record<string, Locked> }): string[] {
  return Object.entries(lock.packages)
    .filter(([path, { dev, link }]) => path !== '' && !dev && !link)
    .filter(
      ([, { os, cpu, libc }]) => runsOn(os, 'os') && runsOn(cpu, 'cpu') && runsOn(libc, 'libc'),
    )
    .map(([path]) => path.replace(/^node_modules\//, ''))
    .sort()
}

function runsOn(named: string[] | undefined, what: keyof typeof HERE): boolean {
  return named === undefined || named.includes(HERE[what])
}
