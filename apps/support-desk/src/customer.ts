export interface Customer {
  /** In lower case. */
  readonly email: string;
  readonly name: string;
  readonly plan: 'Free' | 'Team' | 'Business';
  readonly status: 'active' | 'locked' | 'suspended';
  /** Calendar day, `YYYY-MM-DD`. */
  readonly memberSince: string;
}
