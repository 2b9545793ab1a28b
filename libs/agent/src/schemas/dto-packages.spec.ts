import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { describe, expect, it, vi } from 'vitest';
import { dtoPackages, requireFromApplication } from './dto-packages.js';

const WHERE = 'operator "order" (Shop.order)';

describe('the optional packages of DTO classes', () => {
  it('are the copies that the application imports', () => {
    const packages = dtoPackages(WHERE);
    expect(packages.plainToInstance).toBe(plainToInstance);
    expect(packages.validate).toBe(validate);
    expect(dtoPackages(WHERE)).toBe(packages);
  });

  it('come from the directory of the application first', () => {
    const application = realpathSync(mkdtempSync(join(tmpdir(), 'application-')));
    const home = join(application, 'node_modules', 'class-transformer');
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'index.js'), 'module.exports = { copy: "of the application" };');
    vi.spyOn(process, 'cwd').mockReturnValue(application);
    try {
      expect(requireFromApplication('class-transformer', WHERE)).toEqual({ copy: 'of the application' });
      expect(requireFromApplication('class-validator', WHERE)).toHaveProperty('validate');
    } finally {
      rmSync(application, { recursive: true });
    }
  });

  it('are named with the line that installs them when they are missing', () => {
    expect(() => requireFromApplication('no-such-package-of-ours/cjs/storage.js', WHERE)).toThrow(
      `The schema of ${WHERE} cannot be used: a DTO class needs the package "no-such-package-of-ours". ` +
        'Install it: npm install no-such-package-of-ours',
    );
  });
});
