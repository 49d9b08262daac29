# Opens lines whose answers are never read, with as little room in the kernel as it gives, until its input ends. Each line of
# the input is an address, a blank, and a request in hexadecimal; behind an empty one it says how many were opened in all.
# In Perl, for Node does not set these two, and every Debian has it.
use strict;
use warnings;
use Socket qw(:DEFAULT IPPROTO_TCP TCP_MAXSEG);

$| = 1;
my $server = sockaddr_in($ARGV[0], inet_aton('127.0.0.1'));
my @lines;
while (my $asked = <STDIN>) {
  chomp $asked;
  if ($asked eq '') {
    print scalar(@lines), "\n";
    next;
  }
  my ($address, $request) = split / /, $asked;
  socket(my $line, PF_INET, SOCK_STREAM, 0) or die "socket: $!";
  setsockopt($line, SOL_SOCKET, SO_RCVBUF, 2048) or die "SO_RCVBUF: $!";
  setsockopt($line, IPPROTO_TCP, TCP_MAXSEG, 536) or die "TCP_MAXSEG: $!";
  bind($line, sockaddr_in(0, inet_aton($address))) or die "bind: $!";
  connect($line, $server) or die "connect: $!";
  syswrite($line, pack('H*', $request)) or die "write: $!";
  push @lines, $line;
}
