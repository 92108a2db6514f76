# What systemd does for millrace.socket and millrace.service: holds a listening socket, hands it to the program as file
# descriptor 3, and starts it anew after SIGHUP. Prints the port. perl socket-holder.pl FOLDER PROGRAM ARGUMENT…
use strict;
use warnings;
use IO::Socket::INET;
use POSIX ();

my ($folder, @program) = @ARGV;
my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => 0, Listen => 4096) or die "listen: $!";
$| = 1;
print "PORT ", $listener->sockport, "\n";

my ($child, $ending) = (0, 0);
$SIG{HUP} = sub { kill 'TERM', $child if $child };
$SIG{TERM} = sub { $ending = 1; kill 'TERM', $child if $child };
until ($ending) {
  $child = fork();
  if ($child == 0) {
    chdir $folder or die "chdir: $!";
    POSIX::dup2(fileno($listener), 3);
    # dup2 onto itself leaves close-on-exec set.
    require Fcntl;
    open(my $passed, '<&=', 3) or die "fd 3: $!";
    fcntl($passed, Fcntl::F_SETFD(), 0);
    $ENV{LISTEN_FDS} = 1;
    $ENV{LISTEN_PID} = $$;
    $ENV{PORT} = $listener->sockport;
    exec @program or die "exec: $!";
  }
  while (waitpid($child, 0) == -1 && $!{EINTR}) { }
}
