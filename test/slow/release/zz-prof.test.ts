import { it, before, after, beforeEach } from 'node:test'
import { execFileSync, spawnSync } from 'node:child_process'
import { playedSystem } from '/work/main/test/slow/release/played-system.ts'
const p = playedSystem()
before(p.make); after(p.remove); beforeEach(p.empty)
it('x', () => {
  p.installed('1.0.0')
  const s = spawnSync('strace', ['-f','-r','-e','trace=execve,exit_group,kill','-o','/tmp/prof.strace','sh', 'srv/2.0.0/install.sh'], { cwd: p.at('') , env: {PATH: `${p.at('bin')}:${process.env.PATH}`, LOG: p.at('log'), BUN: p.at('srv/bun'), COMMAND: p.at('run/command'), ...Object.fromEntries(['MV_REFUSES', 'MV_SENDS_AT', 'BEGINS_AT', 'RUNUSER_REFUSES', 'LN_REFUSES', 'FULL'].map(n=>[n,'nothing']))}, encoding:'utf8'})
  console.log(s.status, s.stdout, s.stderr)
})
