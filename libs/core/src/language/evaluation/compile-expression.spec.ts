import { describe, expect, it, vi } from 'vitest';
import {
  binary,
  broken,
  call,
  compiled,
  conditional,
  evaluated,
  lambda,
  list,
  literal,
  member,
  method,
  record,
  template,
  unary,
  variable,
  when,
} from '../../../../../test/support/expression-tree.js';
import { compileExpression } from './compile-expression.js';

const EXIT_CONDITION = binary(
  binary(variable('finish_reason'), '==', literal('stop')),
  '||',
  call(variable('tool_call'), literal('escalateToHuman')),
);

describe('the exit condition of the worked example', () => {
  const names = { variables: ['finish_reason'], functions: ['tool_call'] };
  const condition = compileExpression(EXIT_CONDITION, names);

  it.each([
    ['stop', 'search', true],
    ['tool_calls', 'escalateToHuman', true],
    ['tool_calls', 'search', false],
  ])('finish reason %s, called %s: %s', (reason, called, wanted) => {
    const scope = {
      variables: { finish_reason: reason },
      functions: { tool_call: (name: unknown) => name === called },
    };
    expect(condition.evaluate(scope)).toBe(wanted);
    expect(condition.holds(scope)).toBe(wanted);
  });
});

describe('names', () => {
  it('unknown variables and functions are null', () => {
    const scope = { variables: { secret: 1 }, functions: { secret: () => 1 } };
    expect(compileExpression(variable('secret'), { variables: [] }).evaluate(scope)).toBeNull();
    expect(compileExpression(call(variable('secret')), { variables: ['secret'] }).evaluate(scope)).toBeNull();
  });

  it('declared names that the scope lacks are null', () => {
    const names = { variables: ['x', 'toString'], functions: ['f', 'toString'] };
    for (const node of [variable('x'), variable('toString'), call(variable('f'))]) {
      expect(compileExpression(node, names).evaluate({ variables: {} })).toBeNull();
    }
  });

  it('a variable is read from the scope when the expression needs it', () => {
    const messages = vi.fn(() => ['a']);
    const variables = {
      done: true,
      get messages() {
        return messages();
      },
    };
    const condition = compileExpression(binary(variable('done'), '||', variable('messages')), {
      variables: ['done', 'messages'],
    });
    expect(condition.holds({ variables })).toBe(true);
    expect(messages).not.toHaveBeenCalled();
    expect(condition.evaluate({ variables: { ...variables, done: false } })).toEqual(['a']);
  });

  it('a parameter shadows variables, outer parameters and functions', () => {
    const x = [1, 2];
    expect(evaluated(method(variable('x'), 'map', lambda('x', variable('x'))), { x })).toEqual([1, 2]);
    const inner = method(list(literal(7)), 'map', lambda('i', variable('i')));
    expect(evaluated(method(variable('x'), 'map', lambda('i', inner)), { x })).toEqual([[7], [7]]);
    const called = method(variable('x'), 'map', lambda('f', call(variable('f'))));
    expect(evaluated(called, { x }, { f: () => 1 })).toEqual([null, null]);
  });

  it('an inner lambda sees the outer parameter, also after its own ran', () => {
    const sums = method(variable('b'), 'map', lambda('j', binary(variable('i'), '+', variable('j'))));
    const both = list(sums, variable('i'));
    const node = method(variable('a'), 'map', lambda('i', both));
    expect(evaluated(node, { a: [10, 20], b: [1, 2] })).toEqual([
      [[11, 12], 10],
      [[21, 22], 20],
    ]);
  });
});

describe('functions', () => {
  it('get the values of their arguments', () => {
    const f = vi.fn((...args: readonly unknown[]) => args.length);
    expect(evaluated(call(variable('f'), literal('a'), variable('x')), { x: { a: 1 } }, { f })).toBe(2);
    expect(f).toHaveBeenCalledWith('a', { a: 1 });
  });

  it.each([
    [undefined, null],
    [() => 1, null],
    [Number.NaN, null],
    [12n, '12'],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
  ])('what they give is seen as data: %s', (given, wanted) => {
    expect(evaluated(call(variable('f')), {}, { f: () => given })).toEqual(wanted);
  });

  it('what they throw is passed on', () => {
    const error = new Error('mine');
    const f = (): never => {
      throw error;
    };
    expect(() => evaluated(call(variable('f')), {}, { f })).toThrow(error);
  });

  it('may evaluate the same expression again', () => {
    const depth = { now: 0 };
    const node = method(variable('x'), 'map', lambda('i', binary(call(variable('f')), '+', variable('i'))));
    const expression = compileExpression(node, { variables: ['x'], functions: ['f'] });
    const scope = {
      variables: { x: ['a', 'b'] },
      functions: { f: (): unknown => (depth.now++ === 0 ? expression.evaluate(scope) : '-') },
    };
    expect(expression.evaluate(scope)).toEqual(['["-a","-b"]a', '-b']);
  });

  it('only names and methods can be called', () => {
    const nodes = [call(literal('f')), call(call(variable('f'))), call(list(variable('f')))];
    for (const node of nodes) expect(evaluated(node, {}, { f: () => 1 })).toBeNull();
  });
});

describe('what the checks will have refused', () => {
  it('is null', () => {
    const stray = lambda('i', literal(1));
    for (const node of [broken(), stray, list(broken()), call(variable('f'), stray)]) {
      expect(compiled(node, {}, { f: (value) => value }).holds({ variables: {} })).toBe(
        node.kind === 'array',
      );
    }
    expect(evaluated(call(variable('f'), stray), {}, { f: (value) => value })).toBeNull();
  });
});

describe('templates', () => {
  it.each([
    [null, '<>'],
    ['a', '<a>'],
    [1.5, '<1.5>'],
    [200.0, '<200>'],
    [false, '<false>'],
    [[1, null, 'a'], '<[1,null,"a"]>'],
    [{ a: { b: [] } }, '<{"a":{"b":[]}}>'],
    [new Date(0), '<1970-01-01T00:00:00.000Z>'],
    [{ at: new Date(0), f: () => 1, n: Number.NaN }, '<{"at":"1970-01-01T00:00:00.000Z","n":null}>'],
    [undefined, '<>'],
  ])('%j in a template is %s', (x, wanted) => {
    expect(evaluated(template('<', variable('x'), '>'), { x })).toBe(wanted);
  });

  it('of nothing but an expression is still a text', () => {
    expect(evaluated(template(literal(1)))).toBe('1');
    expect(evaluated(template())).toBe('');
  });
});

describe('lists and objects', () => {
  it('hold what their parts give', () => {
    expect(evaluated(list(variable('x'), literal(null), list()), { x: 1 })).toEqual([1, null, []]);
    expect(evaluated(record(['a', variable('x')], ['b', record()]), { x: 1 })).toEqual({ a: 1, b: {} });
  });

  it('the last of two equal keys counts, and forbidden keys are left out', () => {
    const node = record(
      ['a', literal(1)],
      ['__proto__', literal(1)],
      ['constructor', literal(1)],
      ['prototype', literal(1)],
      ['toString', literal(3)],
      ['a', literal(2)],
    );
    const made = evaluated(node) as object;
    expect(Object.entries(made)).toEqual([
      ['a', 2],
      ['toString', 3],
    ]);
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
  });
});

describe('choices', () => {
  it.each([
    [null, 'no'],
    [false, 'no'],
    [0, 'no'],
    [Number.NaN, 'no'],
    [undefined, 'no'],
    ['', 'yes'],
    ['0', 'yes'],
    [-1, 'yes'],
    [true, 'yes'],
    [[], 'yes'],
    [{}, 'yes'],
  ])('%j is taken for %s', (x, wanted) => {
    const node = conditional(variable('x'), literal('yes'), literal('no'));
    expect(evaluated(node, { x })).toBe(wanted);
    expect(evaluated(unary('!', variable('x')), { x })).toBe(wanted === 'no');
    expect(compiled(variable('x'), { x }).holds({ variables: { x } })).toBe(wanted === 'yes');
  });

  it('of a conditional only the chosen side is evaluated', () => {
    const f = vi.fn(() => 1);
    const side = call(variable('f'));
    expect(evaluated(conditional(literal(true), literal(2), side), {}, { f })).toBe(2);
    expect(evaluated(conditional(literal(0), side, literal(3)), {}, { f })).toBe(3);
    expect(f).not.toHaveBeenCalled();
  });

  it.each([
    ['a', 1],
    [200, 2],
    [[1, { a: 2 }], 3],
    ['200', 9],
    [null, 4],
    [false, 9],
  ])('when %j', (x, wanted) => {
    const branches = [
      [literal('a'), literal(1)],
      [literal(200.0), literal(2)],
      [list(literal(1), record(['a', literal(2)])), literal(3)],
      [literal(null), literal(4)],
      [literal('a'), literal(5)],
    ] as const;
    expect(evaluated(when(variable('x'), branches, literal(9)), { x })).toBe(wanted);
    expect(evaluated(when(variable('x'), branches), { x })).toBe(wanted === 9 ? null : wanted);
  });

  it('of a when the subject is evaluated once, and patterns up to the one that fits', () => {
    const f = vi.fn((value: unknown) => value);
    const g = vi.fn(() => 'never');
    const node = when(call(variable('f'), literal(1)), [
      [literal(0), call(variable('g'))],
      [literal(1), literal('one')],
      [call(variable('g')), literal('other')],
    ]);
    expect(evaluated(node, {}, { f, g })).toBe('one');
    expect(f).toHaveBeenCalledTimes(1);
    expect(g).not.toHaveBeenCalled();
  });
});

it('what leaves an evaluation shares nothing with what came in', () => {
  const x = { a: [{ b: 1 }] };
  const given = evaluated(member(variable('x'), 'a'), { x });
  expect(given).toEqual(x.a);
  expect(given).not.toBe(x.a);
  expect((given as object[])[0]).not.toBe(x.a[0]);
});
